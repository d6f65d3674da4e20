# In Godot 3: the numbers of a picture as 32-bit floats, row by row: ... -s godot3_read.gd PICTURE OUT
extends SceneTree
func _init():
    var words = OS.get_cmdline_args()
    var path = words[words.size() - 2]
    var image = Image.new()
    var error = image.load(path)
    if error != OK:
        print("cannot load ", path, ": ", error)
        OS.exit_code = 1
        quit()
        return
    image.convert(Image.FORMAT_RF)
    var file = File.new()
    file.open(words[words.size() - 1], File.WRITE)
    image.lock()
    for y in range(image.get_height()):
        for x in range(image.get_width()):
            file.store_float(image.get_pixel(x, y).r)
    file.close()
    print(image.get_width(), " x ", image.get_height())
    quit()
